import { t } from '@lingui/core/macro';
import { IconAlertTriangle, IconBulb } from '../../kit/icons/icons.ts';
import { deviations, type ItemContext, shortRecommendation } from './item-context.ts';
import classes from './signs.module.css';

/** The advice on an item: the recommendation, and what deviates. The deviations are its reasons, unless it has others. */
export function Signs({ context }: { context: ItemContext | undefined }) {
  const words = deviations(context);
  const recommended = shortRecommendation(context, words);
  if (context === undefined) return null;
  if (words.length === 0 && recommended === undefined)
    return <p className={classes.none}>{t`No deviations`}</p>;
  return (
    <div className={classes.signs}>
      {recommended !== undefined && (
        <p className={classes.recommended} data-decision={context.recommendation?.decision}>
          <IconBulb size={14} aria-hidden />
          {recommended}
        </p>
      )}
      {words.length > 0 && (
        <ul className={classes.deviations} aria-label={t`Deviations`}>
          {words.map((word) => (
            <li key={word}>
              <IconAlertTriangle size={13} aria-hidden />
              {word}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
