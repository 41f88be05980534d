import {
  AppstoreOutlined,
  BarsOutlined,
  CopyOutlined,
  DeleteOutlined,
  DownloadOutlined,
  EyeInvisibleOutlined,
  FolderOutlined,
  MergeCellsOutlined,
  SearchOutlined,
  SwapOutlined,
} from '@ant-design/icons'
import type { FileFilter, Sort } from '@neuroloom/contract/files'
import { Button, Checkbox, Input, Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { isConvertible, mayHoldTexts } from '../convert/formats.ts'
import { countFiles } from '../series-files.ts'
import styles from './folder-view.module.css'
import type { FolderPage } from './use-folder-page.ts'
import type { ViewProps } from './view-props.ts'

export type Look = 'table' | 'gallery'

const lookKey = 'folderLook'
const filters: FileFilter[] = ['all', 'folder', 'image', 'volume', 'video', 'document', 'archive']
const sorts: Sort[] = ['name', 'type', 'size', 'modified']

/** How folders were last looked at in this browser session. */
export const storedLook = (): Look => (sessionStorage.getItem(lookKey) === 'gallery' ? 'gallery' : 'table')

type FolderToolbarProps = { page: FolderPage; look: Look; onLook: (look: Look) => void; view: ViewProps }

/** Search, filter and looks; while something is selected, what can be done with the selection. */
export function FolderToolbar({ page, look, onLook, view }: FolderToolbarProps) {
  const { t } = useTranslation('files')
  const choose = (next: Look) => {
    sessionStorage.setItem(lookKey, next)
    onLook(next)
  }
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={t('toolbar')}>
      {view.selection.selected.length > 0 ? (
        <Selected view={view} />
      ) : (
        <>
          <Wanted page={page} look={look} />
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

/** Which entries are shown; pictures have no headings to order them by. */
function Wanted({ page, look }: { page: FolderPage; look: Look }) {
  const { t } = useTranslation('files')
  const { sort, descending } = page.order
  return (
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
      {page.search !== '' && (
        <Checkbox checked={page.below} onChange={({ target }) => page.setBelow(target.checked)}>
          {t('searchBelow')}
        </Checkbox>
      )}
      <Select<FileFilter>
        className={styles.select ?? ''}
        aria-label={t('filter.label')}
        value={page.filter}
        onChange={page.setFilter}
        options={filters.map((value) => ({ value, label: t(`filter.${value}`) }))}
      />
      {page.seriesCount > 0 && (
        <Checkbox checked={page.areSingle} onChange={({ target }) => page.setAreSingle(target.checked)}>
          {t('showSingle')}
        </Checkbox>
      )}
      {look === 'gallery' && (
        <Select<string>
          className={styles.select ?? ''}
          aria-label={t('sort.label')}
          value={`${sort} ${descending}`}
          onChange={(value) => {
            const next = orders.find((order) => value === `${order.sort} ${order.descending}`)
            if (next) page.setOrder(next)
          }}
          options={orders.map((order) => ({
            value: `${order.sort} ${order.descending}`,
            label: t(`sort.${order.sort}${order.descending ? 'Down' : ''}`),
          }))}
        />
      )}
    </>
  )
}

const orders = sorts.flatMap((sort) => [
  { sort, descending: false },
  { sort, descending: true },
])

function Selected({ view }: { view: ViewProps }) {
  const { t } = useTranslation('files')
  const { selection, actions, access, entries } = view
  const navigate = useNavigate()
  const { selected } = selection
  const hasSeries = selected.some(({ series }) => series)
  const files = countFiles(selected)
  const remove = async () => {
    try {
      await actions.remove(selected)
      selection.clear()
    } catch {
      // The call has said why; the selection stays.
    }
  }
  return (
    <div className={styles.selection}>
      <strong>
        {t('selected', { count: selected.length })}
        {hasSeries && ` · ${t('fileCount', { count: files, shown: formatNumber(files) })}`}
      </strong>
      <Button
        type="text"
        icon={<DownloadOutlined aria-hidden />}
        onClick={() => actions.download(selected).catch(() => {})}
      >
        {t('download')}
      </Button>
      {access !== 'view' && (
        <Button
          type="text"
          icon={<FolderOutlined aria-hidden />}
          onClick={() => view.onTransfer({ kind: 'move', entries: selected })}
        >
          {t('move')}
        </Button>
      )}
      <Button
        type="text"
        icon={<CopyOutlined aria-hidden />}
        onClick={() => view.onTransfer({ kind: 'copy', entries: selected })}
      >
        {t('copy')}
      </Button>
      {selected.some(isConvertible) && (
        <Button type="text" icon={<SwapOutlined aria-hidden />} onClick={() => view.onConvert(selected)}>
          {t('convert')}
        </Button>
      )}
      {selected.length > 1 && !hasSeries && (
        <Button
          type="text"
          icon={<MergeCellsOutlined aria-hidden />}
          onClick={() => void navigate(mergeAddress(selected))}
        >
          {t('merge')}
        </Button>
      )}
      {selected.some(mayHoldTexts) && (
        <Button
          type="text"
          icon={<EyeInvisibleOutlined aria-hidden />}
          onClick={() => view.onTexts(selected.filter(mayHoldTexts))}
        >
          {t('texts')}
        </Button>
      )}
      {access !== 'view' && (
        <Button
          danger
          type="text"
          icon={<DeleteOutlined aria-hidden />}
          loading={actions.isRemoving}
          onClick={remove}
        >
          {t('removeSelected')}
        </Button>
      )}
      {selected.length < entries.length && (
        <Button type="text" onClick={selection.all}>
          {t('selectAll')}
        </Button>
      )}
      <Button type="text" onClick={selection.clear}>
        {t('clearSelection')}
      </Button>
    </div>
  )
}

function mergeAddress(selected: readonly { id: string }[]): string {
  const [first, ...others] = selected.map(({ id }) => id)
  return `/cloudPrepare?folder=${first}&with=${others.join()}`
}
