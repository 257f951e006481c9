// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"
#include "backend/libraries/families/files/layoutfile.h"

#include <functional>

namespace lk {

/// Applies the rules of a layout file to keys: matches them by name and content. Pure.
class FileClaims
{
public:
    /// Checks beyond those in the file. The probe is of a key that matches the rule.
    using Proof = std::function<bool(const KeyRule&, const NameValues&, const Probe&)>;

    explicit FileClaims(LayoutFilePtr file);

    const LayoutFile& file() const { return *m_file; }

    LayoutOrigin origin() const;
    bool wants(KeyType type) const;
    std::vector<QByteArray> nameParts(KeyType type) const;
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const;
    std::optional<std::vector<QByteArray>> siblingsOf(const Probe& probe,
                                                      const Proof& proves) const;
    bool hasSiblings(KeyType type) const;
    std::vector<QByteArray> hashFields() const;
    std::optional<Claim> claim(const Probe& probe, const Proof& proves) const;
    /// True if a rule has a name pattern that matches the key.
    bool isNamed(const QByteArray& key) const;
    /// Why a key whose name matches is not claimed: a sentence without full stop; translated.
    QString whyNot(const Probe& probe) const;
    /// Completes the claim that a declaration makes.
    Claim declared(Claim claim, const Declaration& declaration, const QByteArray& name) const;

    /// The placeholder values in the names of the primitive's keys. Empty for a declared key whose
    /// name matches no pattern.
    NameValues valuesOf(const Primitive& primitive) const;
    /// The primitive that a key of that rule belongs to by its name. Empty if the name does not
    /// tell which one, nothing if the key has no such name.
    std::optional<QByteArray> primitiveOf(const KeyRule& rule, const QByteArray& key) const;
    /// The main key's name with these values.
    QByteArray mainKeyFor(const NameValues& values, const QByteArray& otherwise) const;

private:
    template<typename May, typename MayBe>
    std::vector<QByteArray> besides(const QByteArray& name, KeyType type, const May& may,
                                    const MayBe& mayBe) const;
    Claim claimOf(const KeyRule& rule, const NameValues& values, const Probe& probe,
                  const QByteArray& mainKey) const;

    LayoutFilePtr m_file;
};

/// The first key of a [[key]] table, as "value", that a probed key does not meet. Null if it meets
/// all.
const char* unmetOf(const KeyRule& rule, const Probe& probe);

} // namespace lk
