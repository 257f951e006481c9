// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/missing.h"

namespace lk {

/// The resident memory of this program above which a scan ends, so that a server with tens of
/// millions of keys does not use up the machine's memory.
class MemoryLimit
{
public:
    /// bytes; 0: no limit.
    explicit MemoryLimit(qint64 bytes = 0)
        : m_bytes(bytes)
    {}
    /// Half of the machine's memory; no limit if that is unknown.
    static MemoryLimit ofMachine();

    qint64 bytes() const { return m_bytes; }
    bool isReached() const;
    /// The reason to report when the scan was stopped.
    Missing reason() const;

private:
    qint64 m_bytes;
};

} // namespace lk
