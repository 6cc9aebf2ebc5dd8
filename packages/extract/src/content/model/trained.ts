import { type ContentModel, toModel } from './model.ts';
import weights from './weights.json' with { type: 'json' };

/** The model that Quern is shipped with, as its training wrote it. */
export const TRAINED_MODEL: ContentModel = toModel(weights);
