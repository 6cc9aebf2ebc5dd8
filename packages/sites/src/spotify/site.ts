import { defineSite } from '#sites/framework/endpoint.ts';

/** The canonical origin of the site's pages. */
export const HOME = 'https://open.spotify.com';

/** Documentation of the interface: https://developer.spotify.com/documentation/web-api */
export const spotify = defineSite({
  name: 'musicstream',
  about: 'music streaming service: tracks (songs), albums, artists, playlists and podcasts',
  origins: {
    web: HOME,
    graph: 'https://api-partner.spotify.com',
    api: 'https://api.spotify.com',
    accounts: 'https://accounts.spotify.com',
  },
  hosts: { 'play.spotify.com': 'web' },
  credentials: ['client_id', 'client_secret'],
  constants: {
    // Hashes of the web player's queries. The site changes them from time to time.
    hash_getTrack: '612585ae06ba435ad26369870deaae23b5c8800a256cd8a57e08eddc25a37294',
    hash_getAlbum: 'b9bfabef66ed756e5e13f68a942deb60bd4125ec1f1be8cc42769dc0259b4b10',
    hash_queryArtistOverview: 'ae0e2958a4ab645b35ca19ac04d0495ae12d9c5d7b7286217674801a9aab281a',
    hash_fetchPlaylist: 'a65e12194ed5fc443a1cdebed5fabe33ca5b07b987185d63c72483867ad13cb4',
    hash_queryShowMetadataV2: 'aaad798a17a43c0f443c45d630a83df39d2ca1062a090c2e4fb045d6b00ab360',
    hash_queryPodcastEpisodes: '3539d746cf882f3909660de40b4ef472b3f5893a0761d617c282541de5d412c5',
    hash_searchDesktop: '21b3fe49546912ba782db5c47e9ef5a7dbd20329520ba0c7d0fcfadee671d24e',
    // Every embedded player contains a visitor's token. A search, which has no entity, takes it from this one.
    token_path: '/embed/album/6N9PS4QXF1D0OWPk0Sxtb4',
  },
});
