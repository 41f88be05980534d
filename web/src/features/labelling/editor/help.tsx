import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { type ToolName, toolNames } from '../tools/desk.ts'
import { toolFacts } from '../tools/tools.ts'
import { hints } from './commands.ts'
import styles from './editor.module.css'

/** By their texts: `labelling:keys.<name>`. */
export const shownKeys = [
  ['class', '1 – 9'],
  ['size', '[ ]'],
  ['undo', 'Ctrl Z'],
  ['redo', 'Ctrl ⇧ Z'],
  ['cursor', '↑ ↓ ← →'],
  ['press', 'Space'],
  ['accept', 'Enter'],
  ['cancel', 'Esc'],
  ['remove', 'Del'],
  ['zoom', '+ − 0'],
  ['slice', 'Page ↑ ↓'],
  ['play', '/'],
  ['continue', 'D'],
  ['image', ', .'],
  ['proposals', 'N Y X'],
] as const

/** All keys, and what mouse, pen and fingers do. */
export function Help({ tools, onClose }: { tools: readonly ToolName[]; onClose: () => void }) {
  const { t } = useTranslation('labelling')
  return (
    <Modal open title={t('help')} footer={null} onCancel={onClose} width={720}>
      <KeyList tools={tools} />
    </Modal>
  )
}

/** Also for the list of the whole workspace. */
export function KeyList({ tools = toolNames }: { tools?: readonly ToolName[] }) {
  const { t } = useTranslation('labelling')
  return (
    <>
      <dl className={styles.keys}>
        {tools.map((name) => (
          <div key={name}>
            <dt>
              <kbd>{toolFacts[name].letter.toUpperCase()}</kbd>
            </dt>
            <dd>{t(`tool.${name}`)}</dd>
          </div>
        ))}
        {shownKeys.map(([name, key]) => (
          <div key={name}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(`keys.${name}`)}</dd>
          </div>
        ))}
      </dl>
      {hints
        .filter((name) => tools.includes(name))
        .map((name) => (
          <p key={name}>
            <strong>{t(`tool.${name}`)}.</strong> {t(`hint.${name}`)}
          </p>
        ))}
      <p>{t('keys.mouse')}</p>
      <p>{t('keys.touch')}</p>
    </>
  )
}
