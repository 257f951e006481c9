// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/scan/keyspacescan.h"
#include "backend/discovery/scan/probe/sliceprobes.h"

namespace lk {

/// A slice takes up to four round trips: SCAN, TYPE of the names without an expected type, the
/// probes by type, and the reads that their replies require. Keys of an unexpected type repeat the
/// last three.
struct KeyspaceScan::Slice
{
    quint64 run = 0;
    std::vector<QByteArray> names; ///< names whose type has to be read
    SliceProbes probes;
    std::shared_ptr<ScanSlice> result = std::make_shared<ScanSlice>();
    int typeTries = 0;
    bool expects = true; ///< whether types are expected by name
};

} // namespace lk
