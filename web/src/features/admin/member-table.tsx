import { CaretDownOutlined, CaretUpOutlined } from '@ant-design/icons'
import type { Member, MemberSort } from '@neuroloom/contract/accounts/members'
import { Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate } from '../../lib/format.ts'
import { levelName } from '../../lib/level-names.ts'
import { useUser } from '../../lib/session.ts'
import list from '../../ui/list.module.css'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { MemberMenu } from './member-menu.tsx'
import styles from './members.module.css'
import type { Given } from './password-shown.tsx'

type Order = { sort: MemberSort; isDescending: boolean }
type MemberTableProps = {
  members: readonly Member[]
  hasLevels: boolean
  order: Order
  onOrder: (sort: MemberSort, isDescending: boolean) => void
  onPassword: (given: Given) => void
}

/** One row an account; on narrow screens the less needed columns stand below its name. */
export function MemberTable({ members, hasLevels, order, onOrder, onPassword }: MemberTableProps) {
  const { t } = useTranslation('members')
  const head = (sort: MemberSort, label: string, isWide = true) => (
    <SortHead label={label} sort={sort} order={order} onOrder={onOrder} isWide={isWide} />
  )
  return (
    <ScrollRegion name={t('title')} className={styles.scroll}>
      <table className={`${list.list} ${styles.table}`} aria-label={t('title')}>
        <thead>
          <tr>
            {head('name', t('table.name'), false)}
            {head('account', t('account'))}
            {head('role', t('role'))}
            {hasLevels && head('level', t('table.level'))}
            {head('signedIn', t('table.signedIn'))}
            {head('storage', t('table.storage'))}
            <th className={list.wide}>{t('table.state')}</th>
            <th>
              <span className={styles.hidden}>{t('table.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <MemberRow key={member.id} member={member} hasLevels={hasLevels} onPassword={onPassword} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

type SortHeadProps = {
  label: string
  sort: MemberSort
  order: Order
  onOrder: MemberTableProps['onOrder']
  isWide: boolean
}

function SortHead({ label, sort, order, onOrder, isWide }: SortHeadProps) {
  const isSorted = order.sort === sort
  const direction = order.isDescending ? 'descending' : 'ascending'
  return (
    <th className={isWide ? list.wide : undefined} aria-sort={isSorted ? direction : undefined}>
      <button
        type="button"
        className={styles.sort}
        // Texts begin at A, numbers and times at the largest.
        onClick={() =>
          onOrder(sort, isSorted ? !order.isDescending : !(sort === 'name' || sort === 'account'))
        }
      >
        {label}
        {isSorted &&
          (order.isDescending ? <CaretDownOutlined aria-hidden /> : <CaretUpOutlined aria-hidden />)}
      </button>
    </th>
  )
}

type MemberRowProps = { member: Member; hasLevels: boolean; onPassword: (given: Given) => void }

function MemberRow({ member, hasLevels, onPassword }: MemberRowProps) {
  const { t } = useTranslation(['members', 'levels'])
  const isSelf = useUser()?.id === member.id
  const level = member.isSuper ? t('levels:super') : t(`levels:${levelName(member.vipLevel)}`)
  const until = member.vipValid === null ? null : formatDate(member.vipValid, 'day')
  const role = t(`roles.${member.role}`)
  const last = member.signedInAt === null ? t('never') : formatDate(member.signedInAt, 'minute')
  const signedIn = member.isSignedIn ? t('signedInNow') : last
  const storage = formatBytes(member.usedBytes)
  return (
    <tr>
      <td>
        <strong>{member.nickName}</strong> {isSelf && <Tag color="cyan">{t('self')}</Tag>}
        <small>{[member.name, member.organ].filter(Boolean).join(' · ')}</small>
        <small className={list.narrow}>{member.account}</small>
        <small className={list.narrow}>
          {[role, ...(hasLevels ? [level] : []), signedIn, storage].join(' · ')}
        </small>
        <span className={list.narrow}>
          <States member={member} />
        </span>
      </td>
      <td className={list.wide}>{member.account}</td>
      <td className={list.wide}>{role}</td>
      {hasLevels && (
        <td className={list.wide}>
          {level}
          {until && !member.isSuper && <small>{t('levels:until', { date: until })}</small>}
        </td>
      )}
      <td className={list.wide}>
        {signedIn}
        <small>{t('made', { date: formatDate(member.createdAt, 'day') })}</small>
      </td>
      <td className={`${list.wide} ${styles.number}`}>{storage}</td>
      <td className={list.wide}>
        <States member={member} />
      </td>
      <td className={list.actions}>
        <MemberMenu member={member} hasLevels={hasLevels} isSelf={isSelf} onPassword={onPassword} />
      </td>
    </tr>
  )
}

function States({ member }: { member: Member }) {
  const { t } = useTranslation('members')
  return (
    <span className={styles.states}>
      {member.isBlocked && <Tag color="red">{t('blocked')}</Tag>}
      {member.wrongPasswords > 0 && (
        <Tag color="orange">{t('wrongPasswords', { count: member.wrongPasswords })}</Tag>
      )}
      {member.hasSecondFactor && <Tag color="green">{t('hasSecondFactor')}</Tag>}
    </span>
  )
}
