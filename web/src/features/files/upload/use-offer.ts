import { useState } from 'react'
import { findPackProblem } from './pack.ts'
import {
  findPickProblem,
  groupPicked,
  type Picked,
  type PickProblem,
  withoutClutter,
} from './picked-files.ts'
import type { UploadTarget } from './upload-store.ts'
import { uploads } from './uploads.ts'

type Choice = { picked: Picked[]; handles: FileSystemHandle[]; hidden: number }

type Offered = UploadTarget & {
  /** Hears the keys of the uploads that a choice has begun. */
  onBegun?: ((keys: readonly number[]) => void) | undefined
}

/** Hands a choice of files to the upload engine, or says what is wrong with it before anything is sent. */
export function useOffer({ onBegun, ...target }: Offered) {
  const [problem, setProblem] = useState<PickProblem | null>(null)
  const [choice, setChoice] = useState<Choice | null>(null)
  const offer = (all: Picked[], handles: FileSystemHandle[] = []) => {
    const picked = withoutClutter(all)
    const hidden = all.length - picked.length
    const found = findPickProblem(picked)
    setProblem(found)
    setChoice(found ? { picked, handles, hidden } : null)
    if (found) return
    const keys = uploads.add(groupsOf({ picked, handles, hidden }), target)
    onBegun?.(keys)
  }
  const close = () => setProblem(null)
  /** Too many loose files as one archive. */
  const pack = (folderName: string) => {
    if (!choice) return
    const { picked, handles, hidden } = choice
    const key = uploads.addPacked(
      { name: folderName, isFolder: false, files: picked, handles, hidden },
      folderName,
      target,
    )
    onBegun?.([key])
    setChoice(null)
    close()
  }
  const packProblem = choice ? findPackProblem(choice.picked) : null
  return { offer, problem, close, pack, packProblem }
}

/** One upload for each folder, and one for all loose files; each with the handles that lead to its files. */
function groupsOf({ picked, handles, hidden }: Choice) {
  return groupPicked(picked).map((group, index) => ({
    ...group,
    handles: handles.filter(({ kind, name }) =>
      group.isFolder ? kind === 'directory' && name === group.name : kind === 'file',
    ),
    hidden: index === 0 ? hidden : 0,
  }))
}
