import { networkFileLimits } from '@neuroloom/contract/limits'
import { networkLimits } from '@neuroloom/contract/network/document/document'
import type { DocumentProblem } from '@neuroloom/contract/network/resolve/problems'
import { readYaml } from '@neuroloom/contract/network/yaml/yaml'
import { Modal } from 'antd'
import { type ChangeEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../../lib/format.ts'
import { toast } from '../../../../lib/toast.ts'
import { useCreate } from '../home/use-create.ts'
import { useProblemText } from '../problems/problem-text.ts'

/** A network from a file: its text is read before anything is made of it. */
export function OpenYaml({ className, children }: { className: string; children: ReactNode }) {
  const { t } = useTranslation('dripe-panels')
  const field = useRef<HTMLInputElement>(null)
  const create = useCreate()
  const textOf = useProblemText()
  const [unread, setUnread] = useState<{ name: string; problems: DocumentProblem[] } | null>(null)
  const handleFile = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    target.value = ''
    if (file === undefined) return
    const most = networkLimits.yamlBytes
    if (file.size > most) return toast.error(t('code.tooLarge', { most: formatBytes(most) }))
    const text = await file.text()
    const { problems } = readYaml(text)
    if (problems.length > 0) return setUnread({ name: file.name, problems })
    const name = file.name.replace(/\.ya?ml$/i, '').slice(0, networkFileLimits.nameLength)
    create.fromText(name || t('home.untitled'), text)
  }
  return (
    <>
      <button
        type="button"
        className={className}
        aria-busy={create.isBusy}
        onClick={() => field.current?.click()}
      >
        {children}
      </button>
      <input
        ref={field}
        type="file"
        accept=".yaml,.yml"
        hidden
        aria-label={t('start.file.title')}
        onChange={(event) => void handleFile(event)}
      />
      <Modal
        open={unread !== null}
        centered
        title={t('start.unread', { name: unread?.name ?? '' })}
        footer={null}
        onCancel={() => setUnread(null)}
      >
        <ul>
          {unread?.problems.slice(0, 8).map((problem) => (
            <li key={`${problem.line} ${problem.column} ${problem.code} ${problem.path}`}>
              {problem.line === null ? '' : `${t('code.line', { line: problem.line })} `}
              {textOf(problem)}
            </li>
          ))}
        </ul>
      </Modal>
    </>
  )
}
