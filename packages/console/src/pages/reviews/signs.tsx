import { t } from '@lingui/core/macro';
import { IconAlertTriangle, IconBulb } from '../../kit/icons/icons.ts';
import type { Item } from './item.ts';
import { deviations, type ItemContext, shortRecommendation } from './item-context.ts';
import classes from './signs.module.css';

/** The deviations of an item, and the recommendation. The deviations are its reasons, unless it has others. */
export function Signs({ item, context }: { item: Item; context: ItemContext | undefined }) {
  const words = deviations(item, context);
  const recommended = shortRecommendation(context, words);
  if (words.length === 0 && recommended === undefined) return null;
  return (
    <div className={classes.signs}>
      {words.length > 0 && (
        <ul className={classes.chips} aria-label={t`Deviations`}>
          {words.map((word) => (
            <li key={word}>
              <IconAlertTriangle size={13} aria-hidden />
              {word}
            </li>
          ))}
        </ul>
      )}
      {recommended !== undefined && (
        <p className={classes.recommended} data-decision={context?.recommendation?.decision}>
          <IconBulb size={14} aria-hidden />
          {recommended}
        </p>
      )}
    </div>
  );
}
