// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/labels/factgrid.h"

namespace lk {

class Session;

/// Returns the facts of the session's recording: whether and where it runs, its size, its time
/// span, how long it is kept, and problems with its disk. Translated.
std::vector<FactGrid::Row> recordingFacts(const Session& session);

} // namespace lk
