import { FolderOpenOutlined } from '@ant-design/icons'
import { networkLimits } from '@neuroloom/contract/network/document/document'
import type { Layout } from '@neuroloom/contract/network/layout/file'
import type { DocumentProblem } from '@neuroloom/contract/network/resolve/problems'
import { lineOf, pathAt } from '@neuroloom/contract/network/yaml/patch'
import { Button, Tooltip } from 'antd'
import { type ChangeEvent, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../../lib/format.ts'
import { toast } from '../../../../lib/toast.ts'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import { useProblemText } from '../problems/problem-text.ts'
import styles from './code.module.css'
import { type Around, CodeBar } from './code-bar.tsx'
import { useYamlMarks } from './use-yaml-marks.ts'
import { useYamlText } from './use-yaml-text.ts'

const YamlEditor = lazyPart(async () => (await import('./yaml-editor.tsx')).YamlEditor)

/** The document as text, both ways: what is typed is taken over, what is drawn changes its lines. */
export function YamlCode({ choice, close }: Around) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const name = useEditor(({ file }) => file.name)
  const selection = useEditor((state) => state.selection)
  const { text, problems, isUnread, type, takeNow, giveUp } = useYamlText()
  const marks = useYamlMarks(text, problems)
  const [selected] = selection
  const lines = useMemo(() => (selected === undefined ? null : lineOf(text, selected)), [text, selected])
  const handleCursor = (offset: number) => {
    const { layout, selection: now, reveal } = store.getState()
    const path = pathAt(text, offset)
    const shown = path === null ? null : visiblePath(path, layout)
    if (shown !== null && !(now.size === 1 && now.has(shown))) reveal(shown)
  }
  return (
    <>
      <CodeBar
        choice={choice}
        close={close}
        text={text}
        fileName={`${name}.yaml`}
        fileType="application/yaml"
      >
        <OpenFile onText={takeNow} />
      </CodeBar>
      <div className={styles.editor}>
        <YamlEditor
          value={text}
          label={t('code.yamlLabel')}
          marks={marks}
          lines={lines}
          onType={type}
          onCursor={handleCursor}
        />
      </div>
      {isUnread ? <UnreadText problems={problems} onGiveUp={giveUp} /> : null}
    </>
  )
}

function OpenFile({ onText }: { onText: (text: string) => void }) {
  const { t } = useTranslation('dripe-panels')
  const field = useRef<HTMLInputElement>(null)
  const handleFile = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    target.value = ''
    if (file === undefined) return
    const most = networkLimits.yamlBytes
    if (file.size > most) return toast.error(t('code.tooLarge', { most: formatBytes(most) }))
    onText(await file.text())
  }
  return (
    <>
      <Tooltip title={t('code.open')}>
        <Button
          size="small"
          type="text"
          icon={<FolderOpenOutlined aria-hidden />}
          aria-label={t('code.open')}
          onClick={() => field.current?.click()}
        />
      </Tooltip>
      <input
        ref={field}
        type="file"
        accept=".yaml,.yml"
        hidden
        aria-label={t('code.open')}
        onChange={(event) => void handleFile(event)}
      />
    </>
  )
}

/** What of a path the canvas shows: the outermost folded block around it, or itself. Pure. */
function visiblePath(path: string, layout: Pick<Layout, 'open'>): string {
  const open = new Set(layout.open)
  const steps = path.split('/')
  for (let k = 1; k < steps.length; k += 1) {
    const around = steps.slice(0, k).join('/')
    if (!open.has(around)) return around
  }
  return path
}

/** Mistakes told at a time; the rest is marked at its lines. */
const unreadShown = 3

type Unread = { problems: readonly DocumentProblem[]; onGiveUp: () => void }

/** The typed text cannot be read: what is wrong where, and the way back. */
function UnreadText({ problems, onGiveUp }: Unread) {
  const { t } = useTranslation('dripe-panels')
  const textOf = useProblemText()
  return (
    <div className={styles.message} role="alert">
      <span>{t('code.unread')}</span>
      <ul>
        {problems.slice(0, unreadShown).map((problem) => (
          <li key={`${problem.line} ${problem.column} ${problem.code} ${problem.path}`}>
            {problem.line === null ? null : (
              <span className={styles.line}>{t('code.line', { line: problem.line })} </span>
            )}
            {textOf(problem)}
          </li>
        ))}
      </ul>
      <Button size="small" onClick={onGiveUp}>
        {t('code.giveUp')}
      </Button>
    </div>
  )
}
