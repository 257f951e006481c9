// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"
#include "backend/libraries/families/files/layoutfile.h"

#include <functional>

namespace lk {

/// What a layout file says of keys: whose they are, by their names and by what is in them. Pure.
class FileClaims
{
public:
    /// Proof beyond what the file asks; the probe is of a key of that rule.
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
    /// Whether some rule names such keys.
    bool isNamed(const QByteArray& key) const;
    /// Why the claim of a key that is named so is none, as a sentence without full stop;
    /// translated.
    QString whyNot(const Probe& probe) const;
    /// Completes the claim that a declaration makes.
    Claim declared(Claim claim, const Declaration& declaration, const QByteArray& name) const;

    /// What the names of the primitive's keys say. Empty for a declared key whose name is none of
    /// the patterns.
    NameValues valuesOf(const Primitive& primitive) const;
    /// The primitive that a key of that rule belongs to by its name; empty: to none.
    QByteArray primitiveOf(const KeyRule& rule, const QByteArray& key) const;
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

/// The key of a [[key]] table, "value", that a probed key does not meet; null: it meets all.
const char* unmetOf(const KeyRule& rule, const Probe& probe);

} // namespace lk
