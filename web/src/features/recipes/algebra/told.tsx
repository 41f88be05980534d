import type { AlgebraPreview } from '@neuroloom/contract/recipes/algebra'
import { Alert } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { Failing } from '../failing.tsx'
import shared from '../recipes.module.css'

/** What it comes to: which masks are left out, which were matched by less than their name, and what would fail. */
export function Told({ seen }: { seen: AlgebraPreview }) {
  const { t } = useTranslation(['algebra', 'recipes'])
  const { folders, total, alone, loose, failing, unknown } = seen
  const nameIn = (index: number): string => folders[index]?.name ?? ''
  const told = (count: number) => ({ count, shown: formatNumber(count) })
  return (
    <div className={shared.counts}>
      <p className={shared.facts}>{t('total', told(total))}</p>
      {alone.count > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('alone', told(alone.count))}
          description={
            <Which hasMore={alone.count > alone.some.length}>
              {alone.some.map(({ path, folder, missing }) => (
                <li key={`${folder} ${path}`}>
                  {t('aloneIn', { path, folder: nameIn(folder), missing: missing.map(nameIn).join(', ') })}
                </li>
              ))}
            </Which>
          }
        />
      )}
      {loose.count > 0 && (
        <Alert
          type="info"
          showIcon
          title={t('loose', told(loose.count))}
          description={
            <Which hasMore={loose.count > loose.some.length}>
              {loose.some.map(({ paths, by }) => (
                <li key={paths.join('\n')}>
                  {paths.join(' · ')} <span className={shared.soft}>({t(`by.${by}`)})</span>
                </li>
              ))}
            </Which>
          }
        />
      )}
      <Failing failing={failing} unknown={unknown} />
      {unknown > 0 && <p className={shared.soft}>{t('recipes:counts.unknown', told(unknown))}</p>}
    </div>
  )
}

function Which({ hasMore, children }: { hasMore: boolean; children: ReactNode }) {
  const { t } = useTranslation('algebra')
  return (
    <details>
      <summary>{t('which')}</summary>
      <ul className={shared.reasons}>
        {children}
        {hasMore && <li>…</li>}
      </ul>
    </details>
  )
}
