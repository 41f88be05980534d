import {
  ApartmentOutlined,
  DatabaseOutlined,
  ExperimentOutlined,
  FileOutlined,
  FileTextOutlined,
  FolderFilled,
  ProjectOutlined,
  ShopOutlined,
} from '@ant-design/icons'
import { mainMetric } from '@neuroloom/contract/metric'
import type { CardKind } from '@neuroloom/contract/social/attachment-kinds'
import type { Opened, OpenedCard, OpenedFile } from '@neuroloom/contract/social/attachments'
import { isLearned } from '@neuroloom/contract/task'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { formatMetric } from '../../../lib/metric.ts'
import styles from './attachments.module.css'
import type { CardAttachment } from './references.ts'

type Props = {
  attachment: CardAttachment
  /** `undefined` while it is asked for; null of what is not there any more, or not for this member. */
  opened: Opened | null | undefined
  /** Beside what it says. */
  action?: ReactNode
}

/** What a message refers to: its kind, its name, and the way to its page. */
export function Card({ attachment, opened, action }: Props) {
  const { t } = useTranslation(['social-attachments', 'runs', 'common'])
  const kind = attachment.kind === 'card' ? attachment.of : 'file'
  const isFolder = opened?.kind === 'file' && opened.isFolder
  return (
    <div className={styles.card} data-gone={opened === null}>
      <Sign kind={kind} opened={opened} />
      <div className={styles.cardText}>
        <small>{t(`of.${isFolder ? 'folder' : kind}`)}</small>
        {opened === undefined && <span className={styles.soft}>{t('common:loading')}</span>}
        {opened === null && <span className={styles.soft}>{t('gone')}</span>}
        {opened?.kind === 'card' && <CardLine card={opened} />}
        {opened?.kind === 'file' && <FileLine file={opened} />}
      </div>
      {action}
    </div>
  )
}

const signs: Record<CardKind, typeof FileOutlined> = {
  project: ProjectOutlined,
  dataset: DatabaseOutlined,
  network: ApartmentOutlined,
  run: ExperimentOutlined,
  report: FileTextOutlined,
  listing: ShopOutlined,
}

function Sign({ kind, opened }: { kind: CardKind | 'file'; opened: Props['opened'] }) {
  if (opened?.kind === 'file' && opened.thumbnail !== null)
    return <img className={styles.cardSign} src={opened.thumbnail} alt="" loading="lazy" />
  const isFolder = opened?.kind === 'file' && opened.isFolder
  const Icon = kind === 'file' ? (isFolder ? FolderFilled : FileOutlined) : signs[kind]
  return (
    <span className={styles.cardSign} aria-hidden>
      <Icon />
    </span>
  )
}

function CardLine({ card }: { card: OpenedCard }) {
  const { t } = useTranslation(['social-attachments', 'runs'])
  const { page, task, score, project, dataset, priceYuan } = card
  const name = cardName(card, t)
  const metric = task !== null && isLearned(task) ? mainMetric[task] : null
  const figure = metric !== null && score !== null ? formatMetric(metric, score) : ''
  const price = priceYuan === null ? '' : t('price', { count: priceYuan, shown: formatNumber(priceYuan) })
  const about = [project, dataset, figure, price].filter(Boolean).join(' · ')
  return (
    <>
      {page === null ? (
        <strong>{name}</strong>
      ) : (
        <Link to={`/${page.path}?id=${encodeURIComponent(page.id)}`}>{name}</Link>
      )}
      {about !== '' && <span className={styles.soft}>{about}</span>}
    </>
  )
}

/** Runs have a number; everything else a name. */
export const cardName = ({ name, run }: OpenedCard, t: TFunction): string =>
  run === null ? name : t(`runs:list.${run.kind}`, { number: run.number })

function FileLine({ file: { id, name, isFolder, sizeBytes } }: { file: OpenedFile }) {
  const address = `/cloudFile?${isFolder ? 'id' : 'file'}=${encodeURIComponent(id)}`
  return (
    <>
      <Link to={address}>{name}</Link>
      {sizeBytes !== null && <span className={styles.soft}>{formatBytes(sizeBytes)}</span>}
    </>
  )
}
