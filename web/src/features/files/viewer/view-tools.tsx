/** What every image's toolbar offers: measuring, zoom, the whole window, the address of what is seen, help. */
import {
  FullscreenOutlined,
  QuestionCircleOutlined,
  ShareAltOutlined,
  ZoomInOutlined,
  ZoomOutOutlined,
} from '@ant-design/icons'
import { markKinds } from '@neuroloom/contract/image-view'
import { Button, Dropdown, Popover } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../lib/copy-text.ts'
import { toast } from '../../../lib/toast.ts'
import type { Measuring } from './measure/use-measuring.ts'
import { OverlayChoice } from './overlay/overlay-choice.tsx'
import type { Overlays } from './overlay/use-overlays.ts'
import { type ImageView, textOfView } from './view-address.ts'
import { useViewPlace } from './view-place.ts'
import styles from './viewer.module.css'

type ViewToolsProps = {
  /** Of this kind of image. */
  children: ReactNode
  measuring: Measuring
  overlays: Overlays
  zoom: (by: number) => void
  reset: () => void
  /** What is seen now, for an address. */
  look: () => ImageView
  help: { isOpen: boolean; onOpen: (isOpen: boolean) => void; keys: readonly HelpKey[] }
}

export const STEP = 1.25

export function ViewTools({ children, measuring, overlays, zoom, reset, look, help }: ViewToolsProps) {
  const { t } = useTranslation(['files', 'viewer'])
  const { isImageOnly = false } = useViewPlace()
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('view.tools')}>
      {children}
      {measuring.canSet && <MeasureChoice measuring={measuring} />}
      {!isImageOnly && <OverlayChoice overlays={overlays} />}
      <Tool icon={<ZoomOutOutlined />} label={t('view.zoomOut')} onUse={() => zoom(1 / STEP)} />
      <Tool icon={<ZoomInOutlined />} label={t('view.zoomIn')} onUse={() => zoom(STEP)} />
      <Button onClick={reset}>{t('view.reset')}</Button>
      {document.fullscreenEnabled && (
        <Tool icon={<FullscreenOutlined />} label={t('view.fullScreen')} onUse={toggleFullScreen} />
      )}
      {!isImageOnly && <CopyView look={look} />}
      <Help {...help} />
    </div>
  )
}

type ToolProps = { icon: ReactNode; label: string; onUse: (button: HTMLElement) => void }

const Tool = ({ icon, label, onUse }: ToolProps) => (
  <Button
    icon={<span aria-hidden>{icon}</span>}
    aria-label={label}
    title={label}
    onClick={({ currentTarget }) => onUse(currentTarget)}
  />
)

/** Which mark comes next; the same once more ends measuring. */
function MeasureChoice({ measuring: { kind, setKind, shared } }: { measuring: Measuring }) {
  const { t } = useTranslation('viewer')
  const kinds = shared?.kinds ?? markKinds
  return (
    <Dropdown
      trigger={['click']}
      getPopupContainer={(node) => node.parentElement ?? document.body}
      menu={{
        selectable: true,
        selectedKeys: kind ? [kind] : [],
        items: kinds.map((key) => ({ key, label: t(`kind.${key}`) })),
        onClick: ({ key }) => {
          const chosen = markKinds.find((one) => one === key) ?? null
          setKind(chosen === kind ? null : chosen)
        },
      }}
    >
      <Button type={kind ? 'primary' : 'default'} aria-haspopup="menu">
        {kind ? t(`kind.${kind}`) : t('measure')} ▾
      </Button>
    </Dropdown>
  )
}

/** Image, list and facts together. Refused where a page may not: then nothing changes. */
function toggleFullScreen(button: HTMLElement): void {
  const element = button.closest('[data-view]')
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
  else void element?.requestFullscreen().catch(() => undefined)
}

/** Good for whoever may see the file; names of measurements are not in it. */
function CopyView({ look }: { look: () => ImageView }) {
  const { t } = useTranslation('viewer')
  const { addressOf } = useViewPlace()
  const copy = async () => {
    const { text, isCut } = textOfView(look())
    if (!(await copyText(addressOf(text)))) toast.warning(t('notCopied'))
    else if (isCut) toast.warning(t('viewCopiedCut'))
    else toast.success(t('viewCopied'))
  }
  return <Tool icon={<ShareAltOutlined />} label={t('copyView')} onUse={() => void copy()} />
}

/** What the keys do: the keys themselves, and the name of what they do. */
export type HelpKey = { keys: string; deed: string }

function Help({ isOpen, onOpen, keys }: ViewToolsProps['help']) {
  const { t } = useTranslation('viewer')
  useEffect(() => {
    if (!isOpen) return
    // Before the dialog around hears it.
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      onOpen(false)
    }
    window.addEventListener('keydown', handleKey, { capture: true })
    return () => window.removeEventListener('keydown', handleKey, { capture: true })
  }, [isOpen, onOpen])
  return (
    <Popover
      open={isOpen}
      onOpenChange={onOpen}
      trigger="click"
      placement="bottomRight"
      getPopupContainer={(node) => node.parentElement ?? document.body}
      title={t('help.title')}
      content={
        <dl className={styles.keys}>
          {keys.map(({ keys: names, deed }) => (
            <div key={deed}>
              <dt>{names}</dt>
              <dd>{t(`help.${deed}`)}</dd>
            </div>
          ))}
        </dl>
      }
    >
      <Button
        icon={<QuestionCircleOutlined aria-hidden />}
        aria-label={t('help.title')}
        title={`${t('help.title')} (?)`}
      />
    </Popover>
  )
}
