import { AppstoreOutlined, BarsOutlined, DeleteOutlined, SearchOutlined } from '@ant-design/icons'
import { Button, Input, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import styles from './folder-view.module.css'
import type { FileActions } from './use-file-actions.ts'
import type { FolderPage } from './use-folder-page.ts'

export type Look = 'table' | 'gallery'

const lookKey = 'folderLook'

/** How folders were last looked at in this browser session. */
export const storedLook = (): Look => (sessionStorage.getItem(lookKey) === 'gallery' ? 'gallery' : 'table')

type FolderToolbarProps = {
  page: FolderPage
  look: Look
  onLook: (look: Look) => void
  selected: string[]
  onSelect: (ids: string[]) => void
  actions: FileActions
}

/** Search and looks; while something is selected, what can be done with the selection. */
export function FolderToolbar({ page, look, onLook, selected, onSelect, actions }: FolderToolbarProps) {
  const { t } = useTranslation('files')
  const choose = (next: Look) => {
    sessionStorage.setItem(lookKey, next)
    onLook(next)
  }
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={t('toolbar')}>
      {selected.length > 0 ? (
        <Selection page={page} selected={selected} onSelect={onSelect} actions={actions} />
      ) : (
        <>
          <div className={styles.search}>
            <Input
              allowClear
              prefix={<SearchOutlined aria-hidden />}
              placeholder={t('search')}
              aria-label={t('search')}
              maxLength={200}
              value={page.search}
              onChange={(event) => page.setSearch(event.target.value)}
            />
          </div>
          <span className={styles.spring} />
          <span className={styles.count}>
            {t('entryCount', { count: page.total, shown: formatNumber(page.total) })}
          </span>
        </>
      )}
      <Segmented<Look>
        value={look}
        onChange={choose}
        aria-label={t('look')}
        options={[
          { value: 'table', icon: <BarsOutlined aria-hidden />, title: t('table') },
          { value: 'gallery', icon: <AppstoreOutlined aria-hidden />, title: t('gallery') },
        ]}
      />
    </div>
  )
}

type SelectionProps = Pick<FolderToolbarProps, 'page' | 'selected' | 'onSelect' | 'actions'>

function Selection({ page, selected, onSelect, actions }: SelectionProps) {
  const { t } = useTranslation('files')
  const remove = async () => {
    try {
      await actions.remove(selected)
      onSelect([])
    } catch {
      // The call has said why; the selection stays.
    }
  }
  return (
    <div className={styles.selection}>
      <strong>{t('selected', { count: selected.length })}</strong>
      <Button
        danger
        type="text"
        icon={<DeleteOutlined aria-hidden />}
        loading={actions.isRemoving}
        onClick={remove}
      >
        {t('removeSelected')}
      </Button>
      {selected.length < page.entries.length && (
        <Button type="text" onClick={() => onSelect(page.entries.map(({ id }) => id))}>
          {t('selectAll')}
        </Button>
      )}
      <Button type="text" onClick={() => onSelect([])}>
        {t('clearSelection')}
      </Button>
    </div>
  )
}
