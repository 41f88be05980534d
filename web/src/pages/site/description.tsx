import { Article } from '../../features/site/article.tsx'
import { useArticle } from '../../features/site/article-text.ts'
import { drawnPart } from '../../features/site/drawn.tsx'

export function Description() {
  return <Article text={useArticle('description')} drawn={drawnPart} />
}
