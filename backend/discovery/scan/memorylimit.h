// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/missing.h"

namespace lk {

/// How much memory this program may have resident before a scan ends, so that a server with tens of
/// millions of keys does not take all that the machine has.
class MemoryLimit
{
public:
    /// bytes; 0: no limit.
    explicit MemoryLimit(qint64 bytes = 0)
        : m_bytes(bytes)
    {}
    /// Half of what this machine has; no limit where it does not tell.
    static MemoryLimit ofMachine();

    qint64 bytes() const { return m_bytes; }
    bool isReached() const;
    /// Why the scan was stopped.
    Missing reason() const;

private:
    qint64 m_bytes;
};

} // namespace lk
