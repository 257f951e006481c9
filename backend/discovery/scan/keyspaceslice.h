// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/scan/keyspacescan.h"
#include "backend/discovery/scan/probe/sliceprobes.h"

namespace lk {

/// A slice passes up to four round trips: SCAN, TYPE of the names whose type is not to be expected,
/// the probes of each type, and what the replies to these call for. Those that were not of the type
/// that was expected go through the last three once more.
struct KeyspaceScan::Slice
{
    quint64 run = 0;
    std::vector<QByteArray> names; ///< whose type is to be asked for
    SliceProbes probes;
    std::shared_ptr<ScanSlice> result = std::make_shared<ScanSlice>();
    int typeTries = 0;
    bool expects = true; ///< types by names
};

} // namespace lk
