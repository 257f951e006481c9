// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/handle.h"
#include "backend/core/state.h"

#include <QHash>

#include <functional>
#include <span>

namespace lk {

/// The rows of a board in order, and kept in order: a change takes its row out and puts it where it
/// belongs, and no other row is looked at again. What rows are compared by is brought together in a
/// few bytes each, since reaching for a million states takes longer than to sort them.
class RowOrder
{
public:
    using StateOf = std::function<const State&(Handle)>;

    struct By
    {
        Kind kind = Kind::Limiter;
        int column = -1; ///< index in columns(kind); none: the worst first, then by name
        bool descending = false;
    };

    void reset(const By& by, std::span<const Handle> rows, const StateOf& stateOf);
    /// Takes out every row whose place (Handle::index) is set in gone, and puts in those that come,
    /// each once.
    void change(const std::vector<bool>& gone, std::span<const Handle> come,
                const StateOf& stateOf);

    std::vector<Handle> rows() const;
    size_t size() const { return m_keys.size(); }
    /// States that were looked at so far, to order them.
    qint64 looks() const { return m_looks; }

private:
    struct Key
    {
        quint64 major = 0;
        quint64 minor = 0; ///< by text: its place in m_texts
        Handle handle;
    };
    enum class Mode : quint8 { Worst, Name, Number, Text };

    std::vector<Key> keysOf(std::span<const Handle> rows, const StateOf& stateOf);
    void findCommon(std::span<const Handle> rows, const StateOf& stateOf);
    bool fitsCommon(std::span<const Handle> rows, const StateOf& stateOf) const;
    bool isBefore(const Key& a, const Key& b, const StateOf& stateOf) const;
    bool isByName() const { return m_mode == Mode::Worst || m_mode == Mode::Name; }
    QString textOf(const State& state) const;
    quint64 textNumber(const QString& text);

    By m_by;
    Mode m_mode = Mode::Worst;
    std::vector<Key> m_keys;
    std::vector<Key> m_spare; ///< the last order's room
    QByteArray m_commonName;  ///< what all names begin with: what follows tells them apart
    QString m_commonText;     ///< the same of texts
    std::vector<QString> m_texts;
    QHash<QString, quint64> m_textNumbers;
    qint64 m_looks = 0;
};

} // namespace lk
