// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/labels/factgrid.h"

namespace lk {

class Session;

/// How the session's recording stands: whether, where, how large, of when, for how long it is kept,
/// and what is wrong with its disk. Translated.
std::vector<FactGrid::Row> recordingFacts(const Session& session);

} // namespace lk
