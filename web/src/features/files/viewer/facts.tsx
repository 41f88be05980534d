import type { ImageFacts, View } from '@neuroloom/contract/viewing'
import { Alert, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { formatValue } from './format-value.ts'
import styles from './viewer.module.css'

/** What is known of an image: size, spacing, values, what to mind, and DICOM's own lines. */
export function Facts({ view, children }: { view: View; children: ReactNode }) {
  const { t } = useTranslation(['files', 'viewing'])
  const { facts, notes, tags, tagsHidden } = view
  return (
    <aside className={styles.facts} aria-label={t('view.facts')}>
      {children}
      {view.patient && (
        <Alert
          type={view.patient === 'free' ? 'success' : 'warning'}
          showIcon
          title={t(`view.patient.${view.patient}`)}
        />
      )}
      {facts && <Known facts={facts} />}
      {notes.map(({ name, params }) => (
        <Alert key={name} type="info" title={t(`viewing:notes.${name}`, params)} />
      ))}
      {tags.length > 0 && <Tags tags={tags} />}
      {tagsHidden && <p>{t('view.tagsHidden')}</p>}
    </aside>
  )
}

function Known({ facts }: { facts: ImageFacts }) {
  const { t } = useTranslation('files')
  const { size, spacing, range, unit } = facts
  const lengths = size.filter((length, axis) => axis < 2 || length > 1)
  const lines: [string, string][] = [
    ['format', facts.format.toUpperCase()],
    ['size', lengths.map((length) => formatNumber(length)).join(' × ')],
    [
      'spacing',
      spacing === null
        ? ''
        : t('view.millimetres', { value: spacing.map((step) => formatNumber(step, 3)).join(' × ') }),
    ],
    ['bits', `${facts.bits} · ${facts.dataType}${facts.channels === 3 ? ' · RGB' : ''}`],
    ['range', range === null ? '' : `${formatValue(range.min)} … ${formatValue(range.max)} ${unit}`],
    ['orientation', facts.orientation ?? ''],
    ['modality', facts.modality],
    ['compression', facts.compression],
  ]
  return (
    <dl>
      {lines
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{t(`view.fact.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** Lines of a DICOM header, searched by number, name or value. */
function Tags({ tags }: { tags: View['tags'] }) {
  const { t } = useTranslation('files')
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = tags.filter(({ tag, keyword, value }) =>
    `${tag} ${keyword} ${value}`.toLowerCase().includes(wanted),
  )
  return (
    <details className={styles.tags}>
      <summary>{t('view.tags', { count: tags.length, shown: formatNumber(tags.length) })}</summary>
      <Input
        allowClear
        size="small"
        placeholder={t('view.tagSearch')}
        aria-label={t('view.tagSearch')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <ul>
        {found.map(({ tag, keyword, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a sequence may hold one tag many times
          <li key={index}>
            <small>
              {tag} {keyword}
            </small>
            <span>{value}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
