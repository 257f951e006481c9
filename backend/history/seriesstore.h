// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/handle.h"
#include "backend/history/series.h"

#include <list>
#include <unordered_map>

namespace lk {

/// The series of all primitives, within a limit of bytes. Above it, forgets the least recently used
/// series. Lives in one thread.
class SeriesStore
{
public:
    explicit SeriesStore(size_t capBytes = 32 * 1024 * 1024)
        : m_capBytes(capBytes)
    {}

    /// metric: the index among the metrics of its layout. silenceMs: see Series::append().
    void append(Handle handle, int metric, qint64 tMs, double value, qint64 silenceMs = anySilence);
    /// Records that there is nothing to measure.
    void absent(Handle handle, int metric, qint64 tMs, qint64 silenceMs = anySilence);
    /// Records a failed read: the series knows nothing from here on.
    void gap(Handle handle, int metric, qint64 tMs);
    /// Records an outage or a pause: no series knows anything from here on.
    void gapAll(qint64 tMs);
    /// Returns null if there is none. Counts as a use.
    const Series* find(Handle handle, int metric);
    /// Forgets all series of the primitive.
    void forget(Handle handle);

    size_t memory() const { return m_bytes; }
    int count() const { return int(m_byKey.size()); }

private:
    struct Key
    {
        Handle handle;
        int metric;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash
    {
        size_t operator()(const Key& key) const { return qHash(key.handle, size_t(key.metric)); }
    };
    struct Entry
    {
        Key key;
        Series series;
    };
    using Order = std::list<Entry>; // most recently used first

    Series& touch(Order::iterator entry);
    template<typename Change> void change(const Key& key, Change change);
    void evict();

    size_t m_capBytes;
    size_t m_bytes = 0;
    Order m_order;
    std::unordered_map<Key, Order::iterator, KeyHash> m_byKey;
};

} // namespace lk
