// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"
#include "backend/libraries/families/files/namepattern.h"

#include <memory>
#include <variant>

namespace lk {

// The content of resources/layouts/<id>.toml as values. For its format see lockkeeper-layouts(5).

/// How a layout was tested.
enum class Proven : quint8 {
    Unknown, ///< not stated; an operator's own file
    Client,  ///< with the library itself
    Fixture, ///< with keys recorded or made by hand after the library's source
};

/// One [[key]]: which keys have the role, and the required content. Empty fields require nothing.
struct KeyRule
{
    QByteArray role;                ///< in claims and snapshots
    QByteArray familyRole;          ///< FamilyRole::name; the same unless the file names the role
    QByteArray state;               ///< the state of the jobs that it holds
    std::vector<NamePattern> names; ///< one of them matches; the first one is used to make a name
    KeyType type = KeyType::String;
    KeyType otherType = KeyType::None; ///< for a key that is of one of two types
    bool optional = false;             ///< the primitive may lack this key
    bool alone = false;   ///< a companion that is claimed while the main key does not exist
    bool follows = false; ///< found only from the names of other keys; its own name proves nothing

    // String.
    std::vector<NamePattern> values; ///< the value matches one of them
    bool valueIsExpiry = false; ///< the TTL ends at the value; of a sorted set: at the last score
    // List.
    std::vector<NamePattern> elements; ///< the elements at both ends match one of them
    // Set, sorted set.
    std::vector<NamePattern> members; ///< all sampled members match one of them
    bool memberIsScore = false;
    std::optional<TimeUnit> scores; ///< all sampled scores are times in that unit
    enum class When : quint8 { Any, Past, Future };
    When when = When::Any; ///< where these times are, within five seconds
    // Hash.
    QByteArrayList fields;               ///< all of them exist
    QByteArrayList furtherFields;        ///< these may exist
    bool onlyThese = false;              ///< no other fields exist
    std::vector<NamePattern> fieldNames; ///< all sampled field names match one of them
    // Any.
    std::optional<bool> hasTtl;
    std::optional<qint64> mostTtlMs;

    bool is(KeyType t) const { return t == type || (t == otherType && t != KeyType::None); }
};

/// Where a limit or a window comes from. Durations come out in milliseconds.
struct NumberRule
{
    /// The source of the number.
    enum class From : quint8 {
        Unknown, ///< not available; never guessed
        Fixed,   ///< a constant in the file
        Name,    ///< part of the main key's name
        Field,   ///< a hash field of the main key
        Key,     ///< the value of the key with that role
        Rule,    ///< computed by a rule of the family
    };
    From from = From::Unknown;
    qint64 fixed = 0;
    NamePattern name;      ///< Name: the pattern of the number; empty: one unit
    QByteArray word;       ///< Field: its name; Key: the role
    QByteArray rule;       ///< for a window: the family's rule by which it is computed or moves
    double unitMs = 1;     ///< for a window
    QByteArray unitInName; ///< the placeholder that holds the unit's word; empty: unitMs
};

/// How the library wakes up waiters; an action that releases does the same. A list on which they
/// block is a key with the role "signal".
struct WakeUp
{
    std::optional<NamePattern> channel;
    /// The text that is published or pushed. {key} stands for the lock's name, {value} for its
    /// value.
    QByteArray message = "1";
};

/// A setting of a family. Family::settings lists the names and shapes.
using SettingValue = std::variant<bool, qint64, QByteArray, QByteArrayList>;

/// A layout as its TOML file describes it.
struct LayoutFile
{
    QByteArray id;
    QString title;
    QByteArray family;
    Kind kind = Kind::Limiter; ///< the family's kind
    QString library;
    QString versions;
    QString url; ///< the library's own documentation
    Proven proven = Proven::Unknown;
    double confidence = 0.95; ///< the confidence for a key that meets all rules
    int siblings = 0;         ///< how many keys of one form prove a possible claim; 0: never

    std::vector<KeyRule> keys;           ///< the first one is the main key's
    std::vector<NamePattern> primitives; ///< the primitive's name; empty: the main key's
    std::vector<NamePattern> labels;     ///< the name for people; empty: the primitive's name
    NumberRule limit;
    NumberRule window;
    WakeUp wakeUp;
    std::vector<std::pair<QByteArray, SettingValue>> settings;

    QString source; ///< the file it was read from; empty: built in

    const KeyRule* key(const QByteArray& role) const;
    /// The first key with that role of the family, or null.
    const KeyRule* keyFor(const QByteArray& familyRole) const;
    /// The setting, or otherwise if the file has none.
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
