import type { Opinion } from '@neuroloom/contract/social/opinions'
import { useTranslation } from 'react-i18next'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import styles from './opinions.module.css'

/** Who said what of which study. */
export function AnswersTable({ opinion, nameOf }: { opinion: Opinion; nameOf: (id: string) => string }) {
  const { t } = useTranslation('social-opinions')
  const { studies, readers, answers, results } = opinion
  if (!results) return null
  const said = (position: number, readerId: string) =>
    results.answers.find((one) => one.position === position && one.readerId === readerId)
  return (
    <ScrollRegion name={t('table')} className={styles.scroll}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('study')}</th>
            {readers.map(({ id }) => (
              <th key={id} scope="col">
                {nameOf(id)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {studies.map(({ position, title }) => (
            <tr key={position}>
              <th scope="row">
                {position + 1}. {title}
              </th>
              {readers.map(({ id }) => {
                const one = said(position, id)
                return (
                  <td key={id}>
                    {one ? answers[one.answer] : '—'}
                    {one && one.note !== '' && <small>{one.note}</small>}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
