import { Breadcrumb } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import styles from './folder-view.module.css'

/** The way from the top of the cloud storage to this folder. */
export function FolderCrumbs({ path }: { path: { id: string; name: string }[] }) {
  const { t } = useTranslation('files')
  const last = path.at(-1)
  const items = [
    { key: 'top', title: <Link to="/cloudHome">{t('title')}</Link> },
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
