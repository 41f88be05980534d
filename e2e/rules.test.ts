/** What a page and a server refuse or ask together around training and testing, as a member meets it. */
import { walkRules } from './rules.ts'

walkRules({ languages: ['en'], isWhole: false })
