/** What is done beside the server for labelling: texts that members bring are read in the process that answers nobody. */
import type { AnyWork } from '../../infra/aside/aside.ts'
import { readLabelsWork } from './over/read-labels.ts'

export const works: readonly AnyWork[] = [readLabelsWork]
