import { roles } from '@neuroloom/contract/accounts/roles'
import type { Demand, Offer } from '@neuroloom/contract/market/demand'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import { useUser } from '../../lib/session.ts'
import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/page.tsx'
import { DataList } from './data-list.tsx'
import { DemandActions } from './demand-actions.tsx'
import { DemandMark } from './demand-state.tsx'
import type { FilePicker } from './file-field.tsx'
import { FileList } from './file-list.tsx'
import styles from './market.module.css'
import { OffersPart } from './offers-part.tsx'
import { RatePart } from './rate-part.tsx'
import { useTaskName } from './use-task-name.ts'
import { WorkPart } from './work-part.tsx'

type Props = { demand: Demand; Picker: FilePicker; onOrder: (offer: Offer) => void }

/** One demand: what is wanted, offers, the work, and what the reader can do now. */
export function DemandView({ demand, Picker, onOrder }: Props) {
  const { t } = useTranslation('market')
  const nameOf = useTaskName()
  const isProvider = useUser()?.role === roles.provider
  const { description, attachments, work, state, task, budgetFen, deadline, owner, offers, may } = demand
  return (
    <div className={styles.columns}>
      <div className={styles.stack}>
        {work && <WorkPart work={work} />}
        {may.includes('rate') && <RatePart id={demand.id} />}
        {!work && <OffersPart demand={demand} onOrder={onOrder} />}
        <Panel title={t('form.description')}>
          <div className={styles.form}>
            <p className={styles.words}>{description}</p>
            <FileList files={attachments} label={t('attachments')} />
            <DataList demand={demand} />
          </div>
        </Panel>
      </div>
      <aside className={styles.aside}>
        <div className={styles.sum}>
          <span className={styles.help}>{t(work ? 'work.price' : 'form.budget')}</span>
          <span className={styles.price}>{formatFen(work?.offer.priceFen ?? budgetFen)}</span>
          <DemandMark state={state} />
        </div>
        <DemandActions demand={demand} isProvider={isProvider} Picker={Picker} />
        <Facts
          facts={[
            [t('task'), nameOf(task)],
            [t('form.budget'), work ? formatFen(budgetFen) : null],
            [t('form.deadline'), formatDate(deadline, 'day')],
            [t('customer'), owner.nickName === '' ? t('ownerGone') : owner.nickName],
            [t('offersTitle'), work ? null : String(offers)],
            [t('posted'), formatDate(demand.createdAt, 'day')],
          ]}
        />
      </aside>
    </div>
  )
}
