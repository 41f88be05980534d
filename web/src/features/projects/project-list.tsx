import type { Project } from '@neuroloom/contract/projects'
import card from '../../ui/card.module.css'
import styles from './project-card.module.css'
import { ProjectCard } from './project-card.tsx'

/** Projects as cards. */
export function ProjectList({ projects }: { projects: readonly Project[] }) {
  return (
    <ul className={`${card.grid} ${styles.grid}`}>
      {projects.map((project) => (
        <ProjectCard key={project.id} project={project} />
      ))}
    </ul>
  )
}
