import {
  ColumnWidthOutlined,
  LockOutlined,
  WarningOutlined,
  ZoomInOutlined,
  ZoomOutOutlined,
} from '@ant-design/icons'
import { Button, Form, Input, Spin } from 'antd'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { NumberField } from '../../../ui/number-field.tsx'
import styles from './pdf.module.css'
import { PdfPage } from './pdf-page.tsx'
import { type PdfState, usePdf } from './use-pdf.ts'
import viewer from './viewer.module.css'

/** A document, page by page. */
export function PdfView({ url }: { url: string }) {
  const { t } = useTranslation('files')
  // A later address shows the same bytes.
  const [first] = useState(url)
  const state = usePdf(first)
  switch (state.is) {
    case 'loading':
      return (
        <div className={viewer.wait}>
          <Spin />
        </div>
      )
    case 'locked':
      return <Locked {...state} />
    case 'failed':
      return (
        <EmptyState
          icon={<WarningOutlined aria-hidden />}
          title={t('view.broken')}
          text={t(`view.pdf.${state.why}`)}
        />
      )
    case 'open':
      return <Pages {...state} />
  }
}

type LockedProps = Extract<PdfState, { is: 'locked' }>

/** The password stays in this page: the document is opened here, not on the server. */
function Locked({ wasWrong, unlock }: LockedProps) {
  const { t } = useTranslation('files')
  const [password, setPassword] = useState('')
  return (
    <EmptyState
      icon={<LockOutlined aria-hidden />}
      title={t('view.pdf.locked')}
      text={t('view.pdf.lockedText')}
      action={
        <Form
          layout="inline"
          className={styles.lock ?? ''}
          onFinish={() => password !== '' && unlock(password)}
        >
          <Form.Item {...(wasWrong ? { validateStatus: 'error', help: t('view.pdf.wrong') } : {})}>
            <Input.Password
              autoFocus
              autoComplete="off"
              aria-label={t('view.pdf.password')}
              placeholder={t('view.pdf.password')}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Form.Item>
          <Button type="primary" htmlType="submit">
            {t('view.pdf.open')}
          </Button>
        </Form>
      }
    />
  )
}

/** Dots of a page on a screen of 96 dots an inch; pages are measured in 72. */
const FULL_SIZE = 96 / 72
const STEP = 1.25
const LEAST = 0.25
const MOST = 6

function Pages({ pdf, size }: Extract<PdfState, { is: 'open' }>) {
  const { t } = useTranslation('files')
  const [root, setRoot] = useState<HTMLDivElement | null>(null)
  const width = useWidth(root)
  // Null = as wide as there is room.
  const [chosen, setChosen] = useState<number | null>(null)
  const [number, setNumber] = useState(1)
  const fitting = Math.max(width - 2 * MARGIN, 60) / size.width
  const scale = chosen ?? Math.min(fitting, 1.5 * FULL_SIZE)
  useKeptPlace(root, scale)
  const zoom = (by: number) => setChosen(Math.min(Math.max(scale * by, LEAST * FULL_SIZE), MOST * FULL_SIZE))
  const goTo = (next: number) => {
    const page = root?.children[next - 1]
    if (root && page instanceof HTMLElement) root.scrollTop = page.offsetTop - MARGIN
  }
  return (
    <div className={styles.document}>
      <div className={viewer.tools} role="toolbar" aria-label={t('view.tools')}>
        <span className={styles.place}>
          <NumberField
            size="small"
            min={1}
            max={pdf.numPages}
            value={number}
            aria-label={t('view.pdf.page')}
            onChange={(next) => next !== null && goTo(next)}
          />
          {t('view.pdf.of', { total: formatNumber(pdf.numPages) })}
        </span>
        <span className={styles.place}>
          <Button
            size="small"
            icon={<ZoomOutOutlined aria-hidden />}
            aria-label={t('view.pdf.smaller')}
            onClick={() => zoom(1 / STEP)}
          />
          <output>{formatPercent(scale / FULL_SIZE, 0)}</output>
          <Button
            size="small"
            icon={<ZoomInOutlined aria-hidden />}
            aria-label={t('view.pdf.larger')}
            onClick={() => zoom(STEP)}
          />
          <Button
            size="small"
            icon={<ColumnWidthOutlined aria-hidden />}
            aria-label={t('view.pdf.fit')}
            title={t('view.pdf.fit')}
            onClick={() => setChosen(fitting)}
          />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a long text that is scrolled with the keys */}
      <div
        ref={setRoot}
        className={styles.pages}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        onScroll={({ currentTarget }) => setNumber(pageAt(currentTarget))}
        onKeyDown={(event) => {
          // Here these lead through the document, not to the next file.
          if (event.key === 'PageUp' || event.key === 'PageDown') event.stopPropagation()
        }}
      >
        {Array.from({ length: width > 0 ? pdf.numPages : 0 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other name and never move
          <PdfPage key={index} pdf={pdf} number={index + 1} scale={scale} size={size} root={root} />
        ))}
      </div>
    </div>
  )
}

/** Around a page, as in the style sheet. */
const MARGIN = 12

function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!element) return
    const watch = new ResizeObserver(() => setWidth(element.clientWidth))
    watch.observe(element)
    return () => watch.disconnect()
  }, [element])
  return width
}

/** The page in the middle of what is seen. */
function pageAt({ children, scrollTop, clientHeight }: HTMLElement): number {
  const middle = scrollTop + clientHeight / 2
  const index = [...children].findIndex(
    (page) => page instanceof HTMLElement && page.offsetTop + page.offsetHeight > middle,
  )
  return index === -1 ? children.length : index + 1
}

/** What was in the middle stays there when the pages grow or shrink. */
function useKeptPlace(root: HTMLElement | null, scale: number): void {
  const before = useRef(scale)
  useLayoutEffect(() => {
    const by = scale / before.current
    before.current = scale
    if (!root || by === 1) return
    // A document that was just opened begins at its beginning.
    if (root.scrollTop > 0)
      root.scrollTop = (root.scrollTop + root.clientHeight / 2) * by - root.clientHeight / 2
    root.scrollLeft = (root.scrollLeft + root.clientWidth / 2) * by - root.clientWidth / 2
  }, [root, scale])
}
