import { CODE_UPLOAD_PATH } from '@neuroloom/contract/custom/code'
import type { CodeUpload } from '@neuroloom/contract/custom/code-calls'
import { code as limits } from '@neuroloom/contract/limits'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf, sendBytes } from '../../../lib/api.ts'
import { formatBytes } from '../../../lib/format.ts'
import { refreshPaths } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'

const ZIP = 'application/zip'

/** Sends one zip. What is no zip, or too large, is told before anything is sent. */
export function useCodeUpload() {
  const { t } = useTranslation('code')
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { mutate, isPending } = useMutation<CodeUpload, Error, File>({
    mutationFn: (file) =>
      sendBytes(`${CODE_UPLOAD_PATH}?${new URLSearchParams({ name: file.name.slice(-limits.nameLength) })}`, {
        bytes: file,
        type: ZIP,
      }),
    onSuccess: () => {
      toast.success(t('upload.done'))
      refreshPaths(queries, ['codeUpload/list'])
    },
    onError: (error) => setProblem(messageOf(error)),
  })
  const handleChosen = (file: File | undefined) => {
    setProblem(null)
    if (!file) return
    if (!file.name.toLowerCase().endsWith('.zip')) setProblem(t('upload.noZip', { name: file.name }))
    else if (file.size > limits.zipBytes)
      setProblem(t('upload.tooLarge', { size: formatBytes(limits.zipBytes) }))
    else mutate(file)
  }
  return {
    ...{ isPending, problem },
    choose: () => input.current?.click(),
    field: (
      <input
        ref={input}
        type="file"
        hidden
        accept=".zip,application/zip"
        aria-label={t('upload.field')}
        onChange={({ target }) => {
          handleChosen(target.files?.[0])
          // The same file may be chosen again.
          target.value = ''
        }}
      />
    ),
  }
}
