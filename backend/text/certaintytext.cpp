// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/certaintytext.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct CertaintyText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Certainty)
};

} // namespace

QString certaintyWord(Certainty certainty)
{
    switch (certainty) {
    case Certainty::Declared:
        return CertaintyText::tr("declared");
    case Certainty::Certain:
        return CertaintyText::tr("certain");
    case Certainty::Likely:
        return CertaintyText::tr("likely");
    case Certainty::Possible:
        break;
    }
    return CertaintyText::tr("possible");
}

QString provenText(ProvenBy provenBy)
{
    switch (provenBy) {
    case ProvenBy::Siblings:
        return CertaintyText::tr("Several keys of this form prove each other.");
    case ProvenBy::Growth:
        return CertaintyText::tr("Keys of this form only grow until they end.");
    case ProvenBy::Turnover:
        return CertaintyText::tr("It was released and acquired again by other owners.");
    case ProvenBy::Itself:
        break;
    }
    return {};
}

QString doubtText(Doubt doubt)
{
    switch (doubt) {
    case Doubt::ValueOnly:
        return CertaintyText::tr("The content matches, but the name gives no hint.");
    case Doubt::NoTtl:
        return CertaintyText::tr("The name matches, but the key has no TTL of the usual length.");
    case Doubt::OtherWords:
        return CertaintyText::tr("The name also matches something else.");
    case Doubt::NameOnly:
        break;
    }
    return CertaintyText::tr("The name matches, but the content does not prove it.");
}

} // namespace lk
