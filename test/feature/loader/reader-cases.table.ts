// The cases that the specification of Crawl4AIReader names. Each is a test of that name, or has an answer that says why not.

const UNIT = `
  default_initialization custom_endpoint custom_timeout custom_fail_on_error custom_max_concurrent invalid_timeout_too_low
  invalid_timeout_too_high invalid_max_concurrent_too_low invalid_max_concurrent_too_high health_check_success health_check_failure
  circuit_breaker_initialized logger_initialized is_remote_flag class_name_property
  document_id_deterministic document_id_different_urls document_id_sha256_format
  metadata_complete metadata_missing_title metadata_missing_description metadata_missing_links metadata_flat_types metadata_source_type
  metadata_links_counting metadata_status_code
  crawl_single_url_success crawl_single_url_fallback_raw_markdown crawl_single_url_markdown_string crawl_single_url_no_markdown
  crawl_single_url_success_false crawl_single_url_timeout_retry crawl_single_url_max_retries_exhausted crawl_single_url_http_404_no_retry
  crawl_single_url_http_500_retry crawl_single_url_network_error_retry crawl_single_url_circuit_breaker_open
  crawl_single_url_fail_on_error_false
  aload_data_empty_list aload_data_single_url aload_data_multiple_urls aload_data_concurrent_limit aload_data_partial_failure_continue
  aload_data_partial_failure_raise aload_data_order_preservation aload_data_duplicate_urls aload_data_logging
  aload_data_circuit_breaker_integration
  load_data_single_url load_data_multiple_urls load_data_delegates_to_aload_data
  error_timeout_exception error_network_exception error_connect_exception error_http_status_error_4xx error_http_status_error_5xx
  error_invalid_json error_circuit_breaker_error error_runtime_error`;

const INTEGRATION = `
  integration_health_check integration_crawl_single_url integration_crawl_batch integration_markdown_extraction
  integration_metadata_extraction integration_circuit_breaker_opens integration_circuit_breaker_recovery
  integration_circuit_breaker_timeout integration_retry_on_timeout integration_retry_exhaustion integration_concurrent_processing
  integration_semaphore_limit`;

const END_TO_END = 'e2e_reader_to_chunker e2e_reader_to_embeddings e2e_reader_to_qdrant';

/** Without the prefix `test_`. */
export const READER_CASES: readonly string[] = [UNIT, INTEGRATION, END_TO_END].flatMap((list) =>
  list.trim().split(/\s+/),
);

const BLOCKING = 'There is no call that blocks in JavaScript: loadData is the one call, and it is asynchronous';

/** Cases that have no test, and why. */
export const ANSWERS: Readonly<Record<string, string>> = {
  document_id_sha256_format:
    'The same specification makes the id a UUID of the first 16 bytes, so it is not 64 digits long; document_id_deterministic checks its form',
  load_data_single_url: BLOCKING,
  load_data_multiple_urls: BLOCKING,
  load_data_delegates_to_aload_data: BLOCKING,
};
