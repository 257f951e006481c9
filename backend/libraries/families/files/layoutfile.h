// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"
#include "backend/libraries/families/files/namepattern.h"

#include <memory>
#include <variant>

namespace lk {

// What resources/layouts/<id>.toml says, as values. How it is written: lockkeeper-layouts(5).

/// How a layout was tried.
enum class Proven : quint8 {
    Unknown, ///< nobody says; an operator's own file
    Client,  ///< with the library itself
    Fixture, ///< with keys recorded or made by hand after the library's source
};

/// One [[key]]: which keys play that part, and what has to be in them. An empty proof asks nothing.
struct KeyRule
{
    QByteArray role;
    std::vector<NamePattern> names; ///< any of them; the first one is used to make a name
    KeyType type = KeyType::String;
    bool optional = false; ///< the primitive is one without this key
    bool alone = false;    ///< a companion that is claimed while the main key does not exist
    bool follows = false;  ///< only the others' names lead to it: its own says nothing

    // String.
    std::vector<NamePattern> values; ///< the value matches one of them
    bool valueIsExpiry = false;      ///< the value is the time at which the TTL ends
    // List.
    std::vector<NamePattern> elements; ///< the elements at both ends match one of them
    // Set, sorted set.
    std::vector<NamePattern> members; ///< all sampled members match one of them
    bool memberIsScore = false;
    std::optional<TimeUnit> scores; ///< all sampled scores are times in that unit
    enum class When : quint8 { Any, Past, Future };
    When when = When::Any; ///< of these times, by five seconds
    // Hash.
    QByteArrayList fields;               ///< all of them exist
    QByteArrayList furtherFields;        ///< these may exist
    bool onlyThese = false;              ///< and no others
    std::vector<NamePattern> fieldNames; ///< all sampled field names match one of them
    // Any.
    std::optional<bool> hasTtl;
    std::optional<qint64> mostTtlMs;
};

/// Where a limit or a window comes from. Durations come out in milliseconds.
struct NumberRule
{
    /// What tells the number.
    enum class From : quint8 {
        Unknown, ///< not to be had; never invented
        Fixed,   ///< the file says it
        Name,    ///< the main key's name says it
        Field,   ///< a hash field of the main key
        Key,     ///< the value of the key of that role
        Rule,    ///< worked out, by a rule that the family knows
    };
    From from = From::Unknown;
    qint64 fixed = 0;
    NamePattern name;      ///< Name: of the number; none: one unit
    QByteArray word;       ///< Field: its name; Key: the role
    QByteArray rule;       ///< of a window, one of the family's: how it is worked out or moves
    double unitMs = 1;     ///< of a window
    QByteArray unitInName; ///< the placeholder that holds the unit's word; empty: unitMs
};

/// How the library tells those who wait: what an action that releases has to do, too. A list that
/// they block on is a key of the role "signal".
struct WakeUp
{
    std::optional<NamePattern> channel;
    /// What is published or pushed; {key} stands for the lock's name, {value} for its value.
    QByteArray message = "1";
};

/// A setting of a family; which there are and of what shape its description says.
using SettingValue = std::variant<bool, qint64, QByteArray, QByteArrayList>;

/// A layout as its TOML file describes it.
struct LayoutFile
{
    QByteArray id;
    QString title;
    QByteArray family;
    Kind kind = Kind::Limiter; ///< of the family
    QString library;
    QString versions;
    QString url; ///< the library's own documentation
    Proven proven = Proven::Unknown;
    double confidence = 0.95; ///< of a key that passes all that is asked
    int siblings = 0;         ///< so many keys of one form prove what is only possible; 0: none do

    std::vector<KeyRule> keys;           ///< the first one is the main key's
    std::vector<NamePattern> primitives; ///< its name; none: the main key's
    std::vector<NamePattern> labels;     ///< what people call it; none: its name
    NumberRule limit;
    NumberRule window;
    WakeUp wakeUp;
    std::vector<std::pair<QByteArray, SettingValue>> settings;

    QString source; ///< the file it was read from; empty: built in

    const KeyRule* key(const QByteArray& role) const;
    /// The setting, or what stands for it where the file has none.
    template<typename T> T setting(const char* name, T otherwise) const
    {
        for (const auto& [known, value] : settings) {
            if (known == name && std::holds_alternative<T>(value))
                return std::get<T>(value);
        }
        return otherwise;
    }
};

using LayoutFilePtr = std::shared_ptr<const LayoutFile>;

} // namespace lk
