import { FolderAddOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, type ButtonProps } from 'antd'
import { type ChangeEvent, useRef } from 'react'
import { PickProblemDialog } from './pick-problem-dialog.tsx'
import { pickedFromInput } from './picked-files.ts'
import { dismissed, filesOf, pickHandles } from './picked-handles.ts'
import { useOffer } from './use-offer.ts'

type UploadButtonProps = {
  parentId: string | null
  kind: 'folder' | 'files'
  label: string
  type?: ButtonProps['type']
  size?: ButtonProps['size']
  /** Called when every file has arrived or failed, with the folder that holds them. */
  onFinished?: (folderId: string | null) => void
  /** Called with the keys of the uploads that begin. */
  onBegun?: (keys: readonly number[]) => void
}

/** Opens the system's picker for one folder, or for files, and hands the choice to the upload engine. */
export function UploadButton(props: UploadButtonProps) {
  const { parentId, kind, label, type, size, onFinished, onBegun } = props
  const input = useRef<HTMLInputElement>(null)
  const folderInput = useRef<HTMLInputElement>(null)
  const { offer, problem, close, pack, packProblem } = useOffer({ parentId, onFinished, onBegun })
  const handleChange = (event: ChangeEvent<HTMLInputElement>) => {
    offer(pickedFromInput(event.target.files ?? []))
    // The same choice must be possible again after a failure.
    event.target.value = ''
  }
  const open = async () => {
    const handles = await pickHandles(kind)
    if (handles === dismissed) return
    if (handles) offer(await filesOf(handles), handles)
    else (kind === 'folder' ? folderInput : input).current?.click()
  }
  return (
    <>
      <Button
        {...(type ? { type } : {})}
        {...(size ? { size } : {})}
        icon={kind === 'folder' ? <FolderAddOutlined aria-hidden /> : <UploadOutlined aria-hidden />}
        onClick={() => void open()}
      >
        {label}
      </Button>
      <input ref={input} type="file" multiple hidden aria-label={label} onChange={handleChange} />
      <input
        ref={folderInput}
        type="file"
        multiple
        {...folderOnly}
        hidden
        aria-label={label}
        onChange={handleChange}
      />
      <PickProblemDialog
        problem={problem}
        onClose={close}
        onChooseFolder={() => {
          close()
          folderInput.current?.click()
        }}
        onPack={pack}
        packProblem={packProblem}
      />
    </>
  )
}

/** Every browser knows it; React's types do not. */
const folderOnly = { webkitdirectory: '' }
