// SPDX-License-Identifier: Apache-2.0
// Tags that only the venue's own messages have.
#pragma once

namespace fixaccel::exchange::tag {

constexpr int kExecRestatementReason = 378;
constexpr int kPartyIdSource = 447;
constexpr int kPartyId = 448;
constexpr int kPartyRole = 452;
constexpr int kNoPartyIds = 453;
constexpr int kMassCancelRequestType = 530;
constexpr int kMassCancelResponse = 531;
constexpr int kMassCancelRejectReason = 532;
constexpr int kTotalAffectedOrders = 533;
constexpr int kMassStatusReqId = 584;
constexpr int kMassStatusReqType = 585;
constexpr int kCopyMsgIndicator = 797;
constexpr int kTotNumReports = 911;
constexpr int kLastRptRequested = 912;

}  // namespace fixaccel::exchange::tag
