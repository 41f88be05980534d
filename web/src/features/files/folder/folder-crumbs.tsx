import type { Place } from '@neuroloom/contract/files'
import { Breadcrumb } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import styles from './folder-view.module.css'

/** The way from the top of the cloud storage to this folder. */
export function FolderCrumbs({ path, place }: { path: { id: string; name: string }[]; place: Place | null }) {
  const { t } = useTranslation('files')
  const last = path.at(-1)
  const tab = place?.kind ?? 'own'
  const items = [
    { key: 'top', title: <Link to="/cloudHome">{t('title')}</Link> },
    ...(place === null || tab === 'own'
      ? []
      : [{ key: 'place', title: <Link to={topOf(place)}>{t(tabNames[tab])}</Link> }]),
    ...path.map(({ id, name }) => ({
      key: id,
      title: id === last?.id ? name : <Link to={`/cloudFile?id=${encodeURIComponent(id)}`}>{name}</Link>,
    })),
  ]
  return (
    <nav className={styles.crumbs} aria-label={t('crumbs')}>
      <Breadcrumb items={items} />
    </nav>
  )
}

const tabNames = {
  own: 'tabs.own',
  shared: 'tabs.shared',
  group: 'tabs.groups',
  public: 'tabs.public',
} as const

/** Where what others gave is listed. */
function topOf({ kind, groupId }: Place): string {
  if (kind === 'group') return `/cloudHome?tab=groups&group=${encodeURIComponent(groupId ?? '')}`
  return `/cloudHome?tab=${kind}`
}
