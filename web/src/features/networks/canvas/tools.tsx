import {
  AimOutlined,
  ApartmentOutlined,
  ArrowDownOutlined,
  ArrowRightOutlined,
  MinusOutlined,
  PlusOutlined,
  SearchOutlined,
} from '@ant-design/icons'
import { useReactFlow } from '@xyflow/react'
import { Button } from 'antd'
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { layOut, turn } from '../editor/blocks.ts'
import { useEditor } from '../editor/use-editor.ts'
import { useWorkbench } from '../editor/workbench.ts'
import styles from './canvas.module.css'

/** Buttons for the view. */
export const Tools = memo(function Tools() {
  const { t } = useTranslation('dripe')
  const bench = useWorkbench()
  const { zoomIn, zoomOut } = useReactFlow()
  const isRight = useEditor((state) => bench.sceneOf(state).direction === 'right')
  const one = (name: string, icon: ReactNode, onClick: () => void) => (
    <Button type="text" size="small" icon={icon} aria-label={name} title={name} onClick={onClick} />
  )
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('tools.name')}>
      {one(t('tools.in'), <PlusOutlined />, () => void zoomIn())}
      {one(t('tools.out'), <MinusOutlined />, () => void zoomOut())}
      {one(t('tools.fit'), <AimOutlined />, () => bench.view?.fit())}
      {one(t('tools.layOut'), <ApartmentOutlined />, () => layOut(bench))}
      {one(
        t(isRight ? 'tools.down' : 'tools.right'),
        isRight ? <ArrowDownOutlined /> : <ArrowRightOutlined />,
        () => turn(bench),
      )}
      {one(t('tools.find'), <SearchOutlined />, () => bench.screen.getState().set({ isFinding: true }))}
    </div>
  )
})
