import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { changePolicy } from '../policies.ts';
import {
  effectsIn,
  knownPolicy,
  managing,
  PolicyItem,
  PolicyParams,
  policyFields,
  policyItem,
  tags,
} from './schemas.ts';

export function changePolicyRoute(http: Http, { db }: RouteTools) {
  http.patch(
    '/api/policies/:policy_id/',
    {
      config: managing,
      onRequest: knownPolicy(db),
      schema: {
        tags,
        summary: 'Change policy',
        params: PolicyParams,
        body: Type.Partial(Type.Object(policyFields)),
        response: { 200: PolicyItem },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const { effects, ...rest } = body;
      const change = effects === undefined ? rest : { ...rest, effects: effectsIn(effects) };
      return policyItem(await changePolicy(db, principal, params.policy_id, change, causeOf(request)));
    },
  );
}
