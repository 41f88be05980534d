import type { AlgebraPreview } from '@neuroloom/contract/recipes/algebra'
import { useTranslation } from 'react-i18next'
import { ReasonText } from '../reason.tsx'
import shared from '../recipes.module.css'
import styles from './algebra.module.css'

/** Masks of each folder in a row, and what comes of them. */
export function MaskSamples({ seen, isOld }: { seen: AlgebraPreview; isOld: boolean }) {
  const { t } = useTranslation(['algebra', 'recipes'])
  const { folders, samples } = seen
  return (
    <ul
      className={`${shared.samples} ${styles.samples}`}
      aria-label={t('samples')}
      aria-busy={isOld}
      data-old={isOld || undefined}
    >
      {samples.map(({ paths, before, after, reason }) => {
        const [name = ''] = paths
        const places = before.map((shown, index) => ({ shown, folder: folders[index] }))
        return (
          <li key={name} className={shared.sample}>
            <div className={styles.row}>
              {places.map(({ shown, folder }) => (
                <figure key={folder?.id}>
                  {shown && <img src={shown.image} alt={t('before', { name, folder: folder?.name ?? '' })} />}
                  <figcaption title={folder?.name}>{folder?.name}</figcaption>
                </figure>
              ))}
              <figure className={styles.after}>
                {after && <img src={after.image} alt={t('recipes:samples.after', { name })} />}
                {reason && (
                  <p className={shared.refused}>
                    <ReasonText reason={reason} />
                  </p>
                )}
                <figcaption>{t('becomes')}</figcaption>
              </figure>
            </div>
            <p className={shared.sampleName} title={paths.join('\n')}>
              {name.slice(name.lastIndexOf('/') + 1)}
            </p>
            {after && <p className={shared.sizes}>{sizeOf(after)}</p>}
          </li>
        )
      })}
    </ul>
  )
}

const sizeOf = ({
  width,
  height,
  depth,
  bits,
}: {
  width: number
  height: number
  depth: number | null
  bits: number
}) => `${width} × ${height}${depth === null ? '' : ` × ${depth}`}${bits === 8 ? '' : `, ${bits} bit`}`
