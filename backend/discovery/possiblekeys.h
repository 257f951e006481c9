// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/possible.h"
#include "backend/discovery/classifier.h"

#include <QHash>

#include <map>

namespace lk {

/// Stores the keys that may be primitives: the number of each kind, and the first thousand of each
/// by name. Forgets keys that a scan no longer sees. No I/O; used by one thread.
class PossibleKeys
{
public:
    /// key is the one that was probed.
    void add(const Classified& classified, const QByteArray& key);
    /// Returns false if the key was not stored.
    bool remove(const QByteArray& key);
    void clear();

    void beginPass();
    void see(const QByteArray& key); ///< marks the key as still existing
    /// The scan has ended: removes the keys that it did not see.
    void endPass();

    qint64 total() const { return m_marks.size(); }
    /// The same pointer until something changes.
    PossiblePtr published();

    static constexpr size_t mostNamed = 1000;      ///< limit for each kind
    static constexpr qsizetype mostKept = 200'000; ///< limit for all kinds; later keys are ignored

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
