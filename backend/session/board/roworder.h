// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/rowstates.h"

#include <QHash>

#include <array>
#include <span>

namespace lk {

/// Keeps the rows of a board in order. A change moves its own row and examines no other. The sort
/// keys take a few bytes each and are stored together, since reaching for a million states takes
/// longer than sorting them. The severity of each row and the order of all names of a kind are kept
/// from board to board.
class RowOrder
{
public:
    /// The sort order of the rows.
    struct By
    {
        Kind kind = Kind::Limiter;
        int column = -1; ///< index in columns(kind); -1: the worst first, then by name
        bool descending = false;
    };

    /// Notes a new or changed state of any kind, whether or not it has a row. States that are
    /// passed to change(), or for the first time to reset(), need not be noted.
    void note(Handle row, Kind kind, StateRank rank);
    /// Forgets a row that is gone, or that has a new name and is noted again.
    void forget(Handle row, Kind kind);
    /// Sorts the noted rows of a kind by name, so that the next reset() need not. All noted rows
    /// that are not forgotten must exist.
    void orderNames(Kind kind, const RowStates& states);

    void reset(const By& by, std::span<const Handle> rows, const RowStates& states);
    /// Removes every row whose place (Handle::index) is set in gone, and inserts the rows in come.
    /// Each may be in come once.
    void change(const std::vector<bool>& gone, std::span<const Handle> come,
                const RowStates& states);

    /// Returns whether the row has the same place with either of two states of one name.
    bool isTied(const State& a, const State& b) const;

    std::vector<Handle> rows() const;
    size_t size() const { return m_keys.size(); }
    /// The number of states read so far for ordering.
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
        std::vector<Handle> order; ///< all noted rows by name; some may be forgotten
        std::vector<Handle> added; ///< rows that have no place in it yet
        bool lost = false;         ///< rows were forgotten since it was made
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
    /// Also by place: whether the generation is not 0. One bit per place, since all rows are looked
    /// up in their order each second. Reading m_noted in random order instead doubled the time.
    std::vector<bool> m_reused;
    std::array<Names, allKinds.size()> m_names;
    std::vector<QString> m_texts;
    QHash<QString, quint32> m_textNumbers;
    QByteArray m_lastLayout; ///< these two: rows of one layout stand together
    QString m_lastTitle;
    qint64 m_looks = 0;
};

} // namespace lk
