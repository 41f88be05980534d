/** All that the product refuses or asks around training and testing, as a member meets it, in each language. */
import { walkRules } from '../rules.ts'
import { languages } from '../words.ts'

walkRules({ languages, isWhole: true })
