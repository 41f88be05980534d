import type { Project } from '@neuroloom/contract/projects'
import { isLearned, type Task } from '@neuroloom/contract/task'

/** A project that a network learns for; the others compute. */
export type LearnedProject = Project & { task: Task }

export const isLearnedProject = (project: Project): project is LearnedProject => isLearned(project.task)
