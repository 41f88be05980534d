import { Pagination } from 'antd'
import list from './list.module.css'

type Props = { page: number; pageSize: number; total: number; onPage: (page: number) => void }

/** The pages of a list by their numbers; nothing where there is one. Workspace only (antd). */
export function ListPages({ page, pageSize, total, onPage }: Props) {
  if (total <= pageSize) return null
  return (
    <div className={list.more}>
      <Pagination
        current={page}
        pageSize={pageSize}
        total={total}
        showSizeChanger={false}
        onChange={onPage}
      />
    </div>
  )
}
