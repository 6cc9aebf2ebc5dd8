import { type ContentModel, toModel } from './model.ts';
import weights from './weights.json' with { type: 'json' };

/** The model that Quern ships with. */
export const TRAINED_MODEL: ContentModel = toModel(weights);
