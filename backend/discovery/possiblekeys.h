// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/possible.h"
#include "backend/discovery/classifier.h"

#include <QHash>

#include <map>

namespace lk {

/// Keeps the keys that may be primitives apart from those that are: how many of each kind, and the
/// first thousand of each by name. Those that no scan sees any more are forgotten. No I/O; used by
/// one thread.
class PossibleKeys
{
public:
    /// key: the one that was probed.
    void add(const Classified& classified, const QByteArray& key);
    /// False if it was none of these.
    bool remove(const QByteArray& key);
    void clear();

    void beginPass();
    void see(const QByteArray& key); ///< its name is still there
    /// The scan came to its end: what it did not see is gone.
    void endPass();

    qint64 total() const { return m_marks.size(); }
    /// The same pointer until something changes.
    PossiblePtr published();

    static constexpr size_t mostNamed = 1000;      ///< of each kind
    static constexpr qsizetype mostKept = 200'000; ///< of all kinds; what comes later is left out

private:
    struct Mark
    {
        Kind kind = Kind::Limiter;
        bool seen = true;
    };
    using Named = std::map<QByteArray, PossiblePrimitive>;

    static quint64 hashOf(const QByteArray& key);

    QHash<quint64, Mark> m_marks; ///< by the key's hash
    std::array<qint64, allKinds.size()> m_counts{};
    std::array<Named, allKinds.size()> m_named;
    PossiblePtr m_published = std::make_shared<PossiblePrimitives>();
    bool m_changed = false;
};

} // namespace lk
