// Members of answers that can be nothing (null, empty), as the API describes them; each must be met both ways.

const ofEndpoints: Record<string, string> = {
  'accounts/{id}':
    'alias balance.tokens key memo receiver_sig_required staked_account_id staked_node_id stake_period_start transactions links.next',
  'accounts/{id}.transactions[]':
    'batch_key entity_id high_volume_pricing_multiplier max_custom_fees memo_base64 nft_transfers node parent_consensus_timestamp staking_reward_transfers token_transfers valid_duration_seconds',
  'tokens/{id}':
    'admin_key auto_renew_account auto_renew_period fee_schedule_key freeze_key kyc_key memo metadata metadata_key pause_key supply_key wipe_key',
  'tokens/{id}.custom_fees':
    'fixed_fees fixed_fees[].denominating_token_id fractional_fees fractional_fees[].maximum royalty_fees royalty_fees[].fallback_fee',
  'contracts/{id}':
    'auto_renew_account bytecode file_id memo obtainer_id permanent_removal proxy_account_id timestamp.to',
  'contracts/results.results[]':
    'access_list bloom call_result contract_id created_contract_ids error_message failed_initcode function_parameters gas_consumed gas_used max_fee_per_gas max_priority_fee_per_gas nonce r s to transaction_index v',
  'contracts/results': 'links.next results',
  'schedules/{id}': 'admin_key executed_timestamp expiration_time memo',
  schedules: 'links.next',
};

export const nullableFields: readonly string[] = Object.entries(ofEndpoints).flatMap(([endpoint, members]) =>
  members.split(' ').map((member) => `${endpoint}.${member}`),
);
