// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/rowstates.h"

#include <QHash>

#include <array>
#include <span>

namespace lk {

/// The rows of a board in order, and kept in order: a change takes its row out and puts it where it
/// belongs, and no other row is looked at again. What rows are compared by is brought together in a
/// few bytes each, since reaching for a million states takes longer than to sort them; how bad each
/// is, and the order of all names of a kind, is kept from board to board.
class RowOrder
{
public:
    /// What the rows are sorted by.
    struct By
    {
        Kind kind = Kind::Limiter;
        int column = -1; ///< index in columns(kind); none: the worst first, then by name
        bool descending = false;
    };

    /// A state of any kind that came or changed, whether it has a row or not. What change() is
    /// given, or reset() sees for the first time, need not be noted.
    void note(Handle row, Kind kind, StateRank rank);
    /// It is gone, or has another name and is noted anew.
    void forget(Handle row, Kind kind);
    /// Puts in order what is noted of a kind by name, so that the next reset() need not. All that
    /// is noted and not forgotten must be there.
    void orderNames(Kind kind, const RowStates& states);

    void reset(const By& by, std::span<const Handle> rows, const RowStates& states);
    /// Takes out every row whose place (Handle::index) is set in gone, and puts in those that come,
    /// each once.
    void change(const std::vector<bool>& gone, std::span<const Handle> come,
                const RowStates& states);

    /// Of two states of one name: whether its row stands at the same place with either.
    bool isTied(const State& a, const State& b) const;

    std::vector<Handle> rows() const;
    size_t size() const { return m_keys.size(); }
    /// States that were looked at so far, to order them.
    qint64 looks() const { return m_looks; }

private:
    struct Key
    {
        quint64 major = 0;
        quint32 minor = 0; ///< by text: its place in m_texts
        quint32 place = 0; ///< the row's; its generation is as noted
    };
    static_assert(sizeof(Key) == 16); // there are a million of them
    enum class Mode : quint8 { Worst, Name, Number, Text };

    static constexpr quint32 none = ~0U;
    struct Noted
    {
        quint64 worst = 0;
        quint32 generation = none;
        quint32 rank = none; ///< its place in Names::order; none: it has none yet
    };
    struct Names
    {
        std::vector<Handle> order; ///< of all that are noted, by name; some may be forgotten
        std::vector<Handle> added; ///< those that have no place in it yet
        bool lost = false;         ///< some were forgotten since it was made
    };

    bool isNoted(Handle row) const
    {
        return row.index < m_noted.size() && m_noted[row.index].generation == row.generation;
    }
    Handle rowOf(const Key& key) const
    {
        return Handle(key.place, m_reused[key.place] ? m_noted[key.place].generation : 0);
    }
    std::vector<Key> keysOf(std::span<const Handle> rows, const RowStates& states);
    std::vector<Key> inOrderOfNames(std::span<const Handle> rows) const;
    void sortByText(std::vector<Key>& keys) const;
    bool isBefore(const Key& a, const Key& b, const RowStates& states) const;
    QString textOf(Handle row, const RowStates& states);
    quint32 textNumber(const QString& text);

    By m_by;
    Mode m_mode = Mode::Worst;
    std::vector<Key> m_keys;
    std::vector<Noted> m_noted; ///< by place
    /// The same: whose generation is not 0. A bit a place, since all rows ask in their order each
    /// second, in which m_noted would be read here and there: that took as long as the rest.
    std::vector<bool> m_reused;
    std::array<Names, allKinds.size()> m_names;
    std::vector<QString> m_texts;
    QHash<QString, quint32> m_textNumbers;
    QByteArray m_lastLayout; ///< these two: rows of one layout stand together
    QString m_lastTitle;
    qint64 m_looks = 0;
};

} // namespace lk
