// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

// Actions for one-time tokens.
namespace lk::actions {

const Action& issueToken();
const Action& validateToken();
const Action& consumeToken();
const Action& revokeToken();
const Action& extendToken();
const Action& removeNeverIssued();

} // namespace lk::actions
